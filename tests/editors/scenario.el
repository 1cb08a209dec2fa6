;;; scenario.el --- types a mistake into a file and says what eglot then knows  -*- lexical-binding: t -*-

;; emacs --batch -l scenario.el; in the environment: SETUP, FILE, OLD, NEW, HOVER, RESULT; OUTSIDE if the file has inline
;; PTX.

;;; Code:

(require 'json)
(require 'package)
(package-initialize)

(defun scenario-wait (condition)
  "Wait until CONDITION gives something, for half a minute at most."
  (let ((end (+ (float-time) 30)))
    (while (and (not (funcall condition)) (< (float-time) end))
      (accept-process-output nil 0.05))))

(defun scenario-start ()
  "Open the file, change OLD to NEW, and wait for what eglot finds."
  (load (getenv "SETUP"))
  (find-file (getenv "FILE"))
  (unless (derived-mode-p 'ptx-mode 'c++-mode) (error "The mode is %s" major-mode))
  ;; `eglot-ensure' waits for a command loop, which a batch run does not have.
  (apply #'eglot--connect (eglot--guess-contact))
  (goto-char (point-min))
  (search-forward (getenv "OLD"))
  (replace-match (getenv "NEW") t t)
  (flymake-mode 1)
  (eglot--signal-textDocument/didChange)
  (flymake-start)
  (scenario-wait #'flymake-diagnostics))

(defun scenario-hover (text)
  "What the server says about the end of TEXT."
  (goto-char (point-min))
  (search-forward text)
  (backward-char 2)
  (let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
    (plist-get (plist-get hover :contents) :value)))

(defun scenario-inline ()
  "What eglot knows in a file with inline PTX: in a template, and outside of it."
  (scenario-start)
  `((findings . ,(vconcat (mapcar #'scenario-finding (flymake-diagnostics))))
    (hover . ,(scenario-hover (getenv "HOVER")))
    (outside . ,(scenario-hover (getenv "OUTSIDE")))
    (items . ,(scenario-items (getenv "HOVER")))
    (items_outside . ,(scenario-items (getenv "OUTSIDE")))))

(defun scenario-items (text)
  "The labels that the server offers at the end of TEXT."
  (goto-char (point-min))
  (search-forward text)
  (let* ((found (jsonrpc-request (eglot-current-server) :textDocument/completion (eglot--TextDocumentPositionParams)))
         (items (if (vectorp found) found (plist-get found :items))))
    (vconcat (mapcar (lambda (item) (plist-get item :label)) items))))

(defun scenario ()
  "What eglot knows in a file of PTX."
  (scenario-start)
  (let ((hover (scenario-hover (getenv "HOVER"))))
    `((findings . ,(vconcat (mapcar #'scenario-finding (flymake-diagnostics))))
      (hover . ,hover)
      (opcodes . ,(scenario-completions "shf"))
      (modifiers . ,(scenario-completions "shfl."))
      (registers . ,(scenario-completions "shfl.sync.down.b32 %r8, %"))
      (names . ,(scenario-names)))))

(defun scenario-at (text)
  "Go to TEXT."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun scenario-lines (items)
  "The lines of the xref ITEMS."
  (vconcat (mapcar (lambda (item) (xref-location-line (xref-item-location item))) items)))

(defun scenario-names ()
  "What xref, imenu, renaming and formatting do with a label."
  (scenario-at "$L__BB0_2;")
  (let* ((name (xref-backend-identifier-at-point 'eglot))
         (definitions (scenario-lines (xref-backend-definitions 'eglot name)))
         (references (scenario-lines (xref-backend-references 'eglot name)))
         (menu (format "%S" (eglot-imenu)))
         (writes (progn (scenario-at "%f9, 0f3FB8AA3B") (scenario-lines (ptx-find-last-writes))))
         (written (progn (scenario-at "%f9, ") (line-number-at-pos)))
         (label (progn (scenario-at "$L__BB0_2:") (line-number-at-pos))))
    (eglot-rename "skip")
    (scenario-at "\tret;")
    (insert "   ")
    (eglot--signal-textDocument/didChange)
    (eglot-format-buffer)
    `((definitions . ,definitions)
      (references . ,references)
      (label . ,label)
      (menu . ,menu)
      (writes . ,writes)
      (written . ,written)
      (renamed . ,(how-many "skip" (point-min)))
      (formatted . ,(how-many "^\tret;" (point-min))))))

(defun scenario-completions (text)
  "What eglot offers after TEXT in a line of its own, below the line of NEW."
  (goto-char (point-min))
  (search-forward (getenv "NEW"))
  (end-of-line)
  (insert "\n\t" text)
  (eglot--signal-textDocument/didChange)
  (let* ((found (eglot-completion-at-point))
         (word (buffer-substring-no-properties (nth 0 found) (nth 1 found)))
         (items (all-completions word (nth 2 found))))
    (delete-region (line-beginning-position 1) (line-end-position))
    (delete-char -1)
    (vconcat (mapcar #'substring-no-properties items))))

(defun scenario-finding (finding)
  "FINDING as plain data."
  `((text . ,(buffer-substring-no-properties (flymake-diagnostic-beg finding) (flymake-diagnostic-end finding)))
    (message . ,(flymake-diagnostic-text finding))))

(let ((result (condition-case problem (if (getenv "OUTSIDE") (scenario-inline) (scenario)) (error `((error . ,(format "%S" problem)))))))
  (with-temp-file (getenv "RESULT") (insert (json-encode result))))
(kill-emacs 0)
;;; scenario.el ends here
