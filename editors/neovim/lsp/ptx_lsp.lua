-- ptx-lsp for Neovim 0.11 and newer: with this folder in 'runtimepath', `vim.lsp.enable('ptx_lsp')` is all.

-- `:PtxLastWrites` lists the instructions that wrote the value of the register at the cursor, and goes to the first one.
local function last_writes(client)
  local at = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local argument = { uri = at.textDocument.uri, position = at.position }
  local params = { command = 'ptx.lastWrites', arguments = { argument } }
  client:request('workspace/executeCommand', params, function(failure, found)
    if failure then
      vim.notify(failure.message, vim.log.levels.ERROR)
      return
    end
    vim.fn.setqflist(vim.lsp.util.locations_to_items(found or {}, client.offset_encoding))
    if #vim.fn.getqflist() > 0 then
      vim.cmd('cfirst')
    else
      vim.notify('No write of a register leads to this place.')
    end
  end)
end

---@type vim.lsp.Config
return {
  cmd = { 'ptx-lsp', 'server' },
  -- For inline PTX in other languages too: { 'ptx', 'cuda', 'cpp', 'c', 'python' }
  filetypes = { 'ptx', 'cuda' },
  on_attach = function(client, buffer)
    vim.api.nvim_buf_create_user_command(buffer, 'PtxLastWrites', function()
      last_writes(client)
    end, { desc = 'Go to the last writes of a register' })
  end,
  root_markers = { '.git', 'ptx-lsp.toml' },
  -- Every setting of docs/settings.md goes here, below `ptx`: { ptx = { hints = { hexFloats = false } } }
  settings = { ptx = vim.empty_dict() },
}
