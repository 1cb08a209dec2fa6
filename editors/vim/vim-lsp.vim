" ptx-lsp for Vim with vim-lsp: source this file from your vimrc.

function! PtxLspRoot(server) abort
  let l:file = lsp#utils#get_buffer_path()
  return lsp#utils#path_to_uri(lsp#utils#find_nearest_parent_file_directory(l:file, ['.git/', '.git', 'ptx-lsp.toml']))
endfunction

augroup ptx_lsp
  autocmd!
  autocmd BufRead,BufNewFile *.ptx setfiletype ptx
  autocmd FileType ptx setlocal commentstring=//\ %s omnifunc=lsp#complete
  if executable('ptx-lsp')
    autocmd User lsp_setup call lsp#register_server({
          \ 'name': 'ptx-lsp',
          \ 'cmd': {server_info -> ['ptx-lsp', 'server']},
          \ 'root_uri': function('PtxLspRoot'),
          \ 'allowlist': ['ptx'],
          \ 'workspace_config': {'ptx': {}},
          \ 'semantic_highlight': {},
          \ })
  endif
augroup END
let g:lsp_semantic_enabled = 1
