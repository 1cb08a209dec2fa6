// Tells Zed how to start the language server: `ptx-lsp server`, from the PATH of the worktree.

use zed_extension_api::{self as zed, settings::LspSettings, Command, LanguageServerId, Result, Worktree};

struct PtxExtension;

impl zed::Extension for PtxExtension {
    fn new() -> Self {
        PtxExtension
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let command = worktree
            .which("ptx-lsp")
            .ok_or("no `ptx-lsp` on PATH: install it as docs/editors/zed.md says")?;
        Ok(Command { command, args: vec!["server".into()], env: worktree.shell_env() })
    }

    fn language_server_workspace_configuration(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<zed::serde_json::Value>> {
        Ok(LspSettings::for_worktree(server.as_ref(), worktree)?.settings)
    }
}

zed::register_extension!(PtxExtension);
