/** Sequences that colour terminals or set their title, and other control characters: the log shows text only. */
const CONTROL = /(?![\n\t])\p{Cc}(?:\[[0-9;?]*[ -/]*[@-~]|\]\d+;\P{Cc}*)?/gu;

export function linesOf(content: string): readonly string[] {
  if (content === '') return [];
  const text = content.replaceAll('\r\n', '\n').replace(CONTROL, '');
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

export function matching(lines: readonly string[], wanted: string): readonly string[] {
  const text = wanted.trim().toLowerCase();
  return text === '' ? lines : lines.filter((line) => line.toLowerCase().includes(text));
}
