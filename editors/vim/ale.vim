" ptx-lsp for Vim with ALE: source this file from your vimrc.

autocmd BufRead,BufNewFile *.ptx setfiletype ptx
autocmd FileType ptx setlocal commentstring=//\ %s omnifunc=ale#completion#OmniFunc
function! PtxLspRoot(buffer) abort
  return expand('#' . a:buffer . ':p:h')
endfunction
autocmd FileType ptx call ale#linter#Define('ptx', {
      \ 'name': 'ptx-lsp',
      \ 'lsp': 'stdio',
      \ 'executable': 'ptx-lsp',
      \ 'command': '%e server',
      \ 'project_root': function('PtxLspRoot'),
      \ 'lsp_config': {'ptx': {}},
      \ })
