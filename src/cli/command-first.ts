/** Options whose value may be the name of a command: `--data start`. */
const WITH_VALUE: readonly string[] = ['--data', '--url', '--config'];

/**
 * Options may stand before the command, as in `cloudjar --data x token`: the command is moved to the front and the options after it.
 * Without a command the arguments stay unchanged.
 */
export function commandFirst(args: readonly string[], names: readonly string[]): readonly string[] {
  if (!args[0]?.startsWith('-')) return args;
  const at = args.findIndex((word, index) => names.includes(word) && !WITH_VALUE.includes(args[index - 1] ?? ''));
  if (at < 0) return args;
  return [args[at] as string, ...args.slice(0, at), ...args.slice(at + 1)];
}
