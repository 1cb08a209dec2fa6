-- ptx-lsp for Neovim 0.11 and newer: with this folder in 'runtimepath', `vim.lsp.enable('ptx_lsp')` is all.

---@type vim.lsp.Config
return {
  cmd = { 'ptx-lsp', 'server' },
  -- For inline PTX in other languages too: { 'ptx', 'cuda', 'cpp', 'c', 'python' }
  filetypes = { 'ptx', 'cuda' },
  root_markers = { '.git' },
  -- Every setting of docs/settings.md goes here, below `ptx`: { ptx = { hints = { hexFloats = false } } }
  settings = { ptx = vim.empty_dict() },
}
