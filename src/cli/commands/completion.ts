import { Argument, type Command } from 'commander';
import { COMMANDS } from '../commands.ts';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { powershellScript } from '../completion/powershell.ts';
import { places } from '../completion/tree.ts';
import { zshScript } from '../completion/zsh.ts';
import { ignoreJarOptions } from '../jar-command.ts';
import { declareProgram } from '../program.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript };

type Shell = keyof typeof SCRIPTS;

const EXAMPLES = `
The script is self-contained: it calls neither this program nor a jar. Print it again after an update.

Examples:
  $ cloudjar completion bash > ~/.local/share/bash-completion/completions/cloudjar
  $ cloudjar completion zsh > "\${fpath[1]}/_cloudjar"
  $ cloudjar completion fish > ~/.config/fish/completions/cloudjar.fish
  $ cloudjar completion powershell >> $PROFILE`;

export function declare(program: Command): void {
  ignoreJarOptions(program.command('completion'))
    .description('print a script for shell completion of commands and options')
    .addArgument(new Argument('<shell>', 'for this shell').choices(Object.keys(SCRIPTS)))
    .option('--json', 'print the script as a JSON string')
    .addHelpText('after', EXAMPLES)
    .action(async (shell: Shell, { json }: { readonly json?: boolean }) => {
      const script = SCRIPTS[shell](places(await declareProgram(Object.keys(COMMANDS))));
      process.stdout.write(json ? `${JSON.stringify({ shell, script })}\n` : script);
    });
}
