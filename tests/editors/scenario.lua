-- Runs in Neovim, headless: opens a file, types a mistake into it, and writes what the editor then knows as JSON.
-- In the environment: SETUP (a Lua file that sets the server up), FILE, OLD and NEW (the mistake), HOVER, RESULT, FILETYPE if it is not ptx,
-- and EVALUATE, lines that show the value of an expression, for a Neovim that has all commands.

local PATIENCE_MS = 30000
local IS_PTX = vim.env.FILETYPE == nil

local function until_true(condition)
  vim.wait(PATIENCE_MS, condition, 20)
end

local function position(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      return number, column
    end
  end
  error('no ' .. text)
end

local function client()
  local get = vim.lsp.get_clients or vim.lsp.get_active_clients
  return get()[1]
end

local function findings()
  local plain = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    local text = vim.api.nvim_buf_get_text(0, each.lnum, each.col, each.end_lnum, each.end_col, {})
    table.insert(plain, { message = each.message, severity = each.severity, code = each.code, text = text[1] })
  end
  return plain
end

local function hover(text)
  local line, column = position(text)
  vim.api.nvim_win_set_cursor(0, { line, column })
  local _, result = nil, nil
  local parameters = vim.lsp.util.make_position_params(0, client().offset_encoding)
  vim.lsp.buf_request(0, 'textDocument/hover', parameters, function(_, answer)
    result = answer or false
  end)
  until_true(function()
    return result ~= nil
  end)
  return result and result.contents.value
end

local function hints()
  if not vim.lsp.inlay_hint then
    return nil
  end
  vim.lsp.inlay_hint.enable(true)
  until_true(function()
    return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0
  end)
  return vim.tbl_map(function(each)
    local label = each.inlay_hint.label
    if type(label) == 'table' then
      label = table.concat(vim.tbl_map(function(part)
        return part.value
      end, label))
    end
    return { line = vim.fn.getline(each.inlay_hint.position.line + 1), label = label }
  end, vim.lsp.inlay_hint.get({ bufnr = 0 }))
end

-- What the editor's own commands do with names: each changes the buffer, the cursor or a list.
local function names()
  local found = {}
  local function at(text)
    local line, column = position(text)
    vim.api.nvim_win_set_cursor(0, { line, column - 1 })
    return line
  end
  local from = at('bra \t$L__BB0_2')
  vim.cmd('normal! f$')
  vim.lsp.buf.definition()
  until_true(function()
    return vim.api.nvim_win_get_cursor(0)[1] ~= from
  end)
  found.definition = vim.api.nvim_get_current_line()
  vim.lsp.buf.references()
  until_true(function()
    return #vim.fn.getqflist() > 0
  end)
  found.references = vim.tbl_map(function(each)
    return vim.fn.getbufline(each.bufnr, each.lnum)[1]
  end, vim.fn.getqflist())
  vim.cmd('cclose')
  vim.lsp.buf.document_symbol()
  until_true(function()
    return #vim.fn.getloclist(0) > 0
  end)
  found.symbols = vim.tbl_map(function(each)
    return each.text
  end, vim.fn.getloclist(0))
  vim.cmd('lclose')
  vim.wo.foldmethod = 'expr'
  vim.wo.foldexpr = 'v:lua.vim.lsp.foldexpr()'
  local inside = position('ld.param.u64')
  until_true(function()
    vim.cmd('normal! zx')
    return vim.fn.foldlevel(inside) > 0
  end)
  found.fold = vim.fn.foldlevel(inside)
  at('%f9, 0f3F')
  vim.fn.setqflist({})
  vim.cmd('PtxLastWrites')
  until_true(function()
    return #vim.fn.getqflist() > 0
  end)
  found.writes = vim.tbl_map(function(each)
    return each.text
  end, vim.fn.getqflist())
  local row, column = position('[gaussian_param_0]')
  local function token()
    return (vim.lsp.semantic_tokens.get_at_pos(0, row - 1, column) or {})[1]
  end
  until_true(function()
    return token() ~= nil
  end)
  found.token = token() and token().type
  local notify, notified = vim.notify, nil
  vim.notify = function(text)
    notified = text
  end
  assert(loadstring(vim.env.EVALUATE))()
  until_true(function()
    return notified ~= nil
  end)
  vim.notify, found.evaluated = notify, notified
  at('$L__BB0_2:')
  vim.lsp.buf.rename('skip')
  until_true(function()
    return vim.api.nvim_get_current_line():find('skip', 1, true) ~= nil
  end)
  found.renamed = vim.tbl_filter(function(line)
    return line:find('skip', 1, true) ~= nil
  end, vim.api.nvim_buf_get_lines(0, 0, -1, false))
  return found
end

local function scenario()
  vim.cmd('filetype on')
  vim.cmd('luafile ' .. vim.env.SETUP)
  vim.cmd('edit ' .. vim.env.FILE)
  if vim.bo.filetype ~= (vim.env.FILETYPE or 'ptx') then
    error('the file type is ' .. vim.bo.filetype)
  end
  until_true(function()
    return client() ~= nil and client().initialized
  end)
  local line, column = position(vim.env.OLD)
  vim.api.nvim_buf_set_text(0, line - 1, column - 1, line - 1, column - 1 + #vim.env.OLD, { vim.env.NEW })
  until_true(function()
    return #findings() > 0
  end)
  local seen = { findings = findings(), hover = hover(vim.env.HOVER), hints = hints() }
  seen.encoding = client().offset_encoding
  seen.names = IS_PTX and vim.lsp.foldexpr and names() or nil
  return seen
end

-- Types `text` in a line of its own below line `number`, asks for completion as a key would, and gives what the menu
-- holds to `finish`: what the client has left of the server's items.
local function complete(number, text, finish)
  vim.api.nvim_buf_set_lines(0, number, number, false, { '\t' .. text })
  vim.api.nvim_win_set_cursor(0, { number + 1, #text })
  vim.cmd('startinsert!')
  local asked, began = false, vim.uv.now()
  local timer = vim.uv.new_timer()
  timer:start(50, 50, vim.schedule_wrap(function()
    if timer:is_closing() or vim.fn.mode() ~= 'i' then
      return
    end
    if not asked then
      asked = true
      vim.lsp.completion.get()
    end
    local items = vim.fn.complete_info({ 'items' }).items
    if #items > 0 or vim.uv.now() - began > PATIENCE_MS then
      timer:close()
      finish(vim.tbl_map(function(item)
        return item.abbr
      end, items))
    end
  end))
end

local function write(result)
  vim.fn.writefile({ vim.fn.json_encode(result) }, vim.env.RESULT)
  vim.cmd('qall!')
end

local fine, outcome = pcall(scenario)
if not fine then
  write({ error = tostring(outcome), log = vim.fn.filereadable(vim.lsp.get_log_path()) == 1 and vim.fn.readfile(vim.lsp.get_log_path()) or {} })
elseif not (IS_PTX and vim.lsp.completion and vim.lsp.completion.get) then
  write(outcome)
else
  local number = position(vim.env.NEW)
  vim.lsp.completion.enable(true, client().id, 0)
  vim.opt.completeopt = { 'menuone', 'noselect' }
  complete(number, 'shfl.sy', function(modifiers)
    outcome.modifiers = modifiers
    vim.cmd('stopinsert')
    vim.defer_fn(function()
      complete(number, 'add.s32 %r8, %r', function(registers)
        outcome.registers = registers
        write(outcome)
      end)
    end, 100)
  end)
end
