/** Joins the lines of `format=flowed` text (RFC 3676). In quoted lines, only space-stuffing is removed. */
export function flowedText(text: string, deletesSpace: boolean): string {
  const lines: string[] = [];
  let open: string | undefined;
  for (const written of text.split('\n')) {
    const line = written.startsWith(' ') ? written.slice(1) : written;
    const isSignature = line === '-- ';
    const isQuoted = line.startsWith('>');
    if (open !== undefined && (isSignature || isQuoted)) {
      lines.push(open);
      open = undefined;
    }
    const whole: string = (open ?? '') + line;
    if (line.endsWith(' ') && !isSignature && !isQuoted) {
      open = deletesSpace ? whole.slice(0, -1) : whole;
    } else {
      lines.push(whole);
      open = undefined;
    }
  }
  if (open !== undefined) lines.push(open);
  return lines.join('\n');
}
