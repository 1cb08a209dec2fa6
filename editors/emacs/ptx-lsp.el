;;; ptx-lsp.el --- PTX, NVIDIA's GPU virtual assembly, with its language server  -*- lexical-binding: t -*-

;; Load this file from your init file. It needs eglot: part of Emacs 29, in GNU ELPA for Emacs 26 to 28.

;;; Code:

(require 'eglot)

(defvar ptx-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?% "_" table)
    (modify-syntax-entry ?$ "_" table)
    (modify-syntax-entry ?_ "_" table)
    table)
  "Syntax of PTX: C's comments, and names that may hold `%' and `$'.")

(defvar ptx-font-lock-keywords
  '(("^[ \t]*\\([A-Za-z_$%][A-Za-z0-9_$]*\\)[ \t]*:[^:]" 1 font-lock-function-name-face)
    ("^[ \t]*\\(?:@!?[A-Za-z0-9_$%]+[ \t]+\\)?\\([a-z][a-z0-9_]*\\)[.; \t]" 1 font-lock-keyword-face)
    ("\\.[a-z_][A-Za-z0-9_:]*" . font-lock-type-face)
    ("%[A-Za-z0-9_$]+" . font-lock-variable-name-face))
  "What `ptx-mode' colours.")

;;;###autoload
(define-derived-mode ptx-mode prog-mode "PTX"
  "Mode for PTX, NVIDIA's GPU virtual assembly."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local indent-tabs-mode t)
  (setq-local font-lock-defaults '(ptx-font-lock-keywords)))

;; Eglot runs one server in a buffer. For inline PTX in CUDA C++ instead of clangd:
;; (add-to-list 'auto-mode-alist '("\\.cuh?\\'" . c++-mode))
;; (add-to-list 'eglot-server-programs '((c++-mode :language-id "cuda-cpp") . ("ptx-lsp" "server")))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.ptx\\'" . ptx-mode))

(defun ptx-find-last-writes ()
  "The instructions that wrote the value of the register at point, as xref items."
  (eglot--signal-textDocument/didChange)
  (let* ((place (eglot--TextDocumentPositionParams))
         (uri (plist-get (plist-get place :textDocument) :uri))
         (argument (list :uri uri :position (plist-get place :position)))
         (request (list :command "ptx.lastWrites" :arguments (vector argument)))
         (found (jsonrpc-request (eglot-current-server) :workspace/executeCommand request)))
    (mapcar (lambda (each) (eglot--xref-make-match "last write" (plist-get each :uri) (plist-get each :range)))
            (append found nil))))

;;;###autoload
(defun ptx-last-writes ()
  "Go to the instruction that wrote the value of the register at point; choose one if there are several."
  (interactive)
  (let ((found (ptx-find-last-writes)))
    (if found
        (funcall xref-show-xrefs-function (lambda () found) nil)
      (message "No write of a register leads to this place"))))

(add-to-list 'eglot-server-programs '(ptx-mode . ("ptx-lsp" "server")))

(add-hook 'ptx-mode-hook #'eglot-ensure)

(provide 'ptx-lsp)
;;; ptx-lsp.el ends here
