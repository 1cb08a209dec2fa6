-- ptx-lsp for Neovim 0.7 to 0.10: a file of the folder `plugin`, or a part of init.lua.

local function start(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  local marks = vim.fs and vim.fs.find({ '.git', 'ptx-lsp.toml' }, { path = vim.fn.fnamemodify(name, ':h'), upward = true }) or {}
  local root = marks[1] and vim.fn.fnamemodify(marks[1], ':h') or vim.fn.fnamemodify(name, ':p:h')
  local settings = { name = 'ptx_lsp', cmd = { 'ptx-lsp', 'server' }, root_dir = root }
  settings.settings = { ptx = vim.empty_dict() }
  if vim.lsp.start then
    vim.lsp.start(settings, { bufnr = buffer })
    return
  end
  -- 0.7 has no vim.lsp.start: one server per root is kept here.
  _G.ptx_lsp_servers = _G.ptx_lsp_servers or {}
  local server = _G.ptx_lsp_servers[root]
  if not (server and vim.lsp.get_client_by_id(server)) then
    server = vim.lsp.start_client(settings)
    _G.ptx_lsp_servers[root] = server
  end
  if server then
    vim.lsp.buf_attach_client(buffer, server)
  end
end

-- Newer ones know the file type themselves.
vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, { pattern = '*.ptx', command = 'setfiletype ptx' })

vim.api.nvim_create_autocmd('FileType', {
  pattern = 'ptx',
  callback = function(event)
    start(event.buf)
    vim.keymap.set('n', 'K', vim.lsp.buf.hover, { buffer = event.buf })
  end,
})
