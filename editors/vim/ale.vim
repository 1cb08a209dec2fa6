" ptx-lsp for Vim with ALE: source this file from your vimrc.

function! PtxLspRoot(buffer) abort
  let l:folder = expand('#' . a:buffer . ':p:h')
  let l:git = finddir('.git', l:folder . ';')
  return l:git is# '' ? l:folder : fnamemodify(l:git, ':p:h:h')
endfunction

augroup ptx_lsp
  autocmd!
  autocmd BufRead,BufNewFile *.ptx setfiletype ptx
  autocmd FileType ptx setlocal commentstring=//\ %s omnifunc=ale#completion#OmniFunc
  autocmd FileType ptx call ale#linter#Define('ptx', {
        \ 'name': 'ptx-lsp',
        \ 'lsp': 'stdio',
        \ 'executable': 'ptx-lsp',
        \ 'command': '%e server',
        \ 'project_root': function('PtxLspRoot'),
        \ 'lsp_config': {'ptx': {}},
        \ })
augroup END
