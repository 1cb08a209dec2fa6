" ptx-lsp for Vim with vim-lsp: source this file from your vimrc.

autocmd BufRead,BufNewFile *.ptx setfiletype ptx
autocmd FileType ptx setlocal commentstring=//\ %s omnifunc=lsp#complete
if executable('ptx-lsp')
  autocmd User lsp_setup call lsp#register_server({
        \ 'name': 'ptx-lsp',
        \ 'cmd': {server_info -> ['ptx-lsp', 'server']},
        \ 'allowlist': ['ptx'],
        \ 'workspace_config': {'ptx': {}},
        \ 'semantic_highlight': {},
        \ })
endif
let g:lsp_semantic_enabled = 1
