/** Trademarks and reserved words that cannot be names of resources. */
const WHOLE: ReadonlySet<string> = new Set(
  `access azure bing bizspark biztalk cortana directx dotnet dynamics excel exchange forefront groove hololens hyperv kinect login lync
  microsoft msdn o365 office office365 onedrive onenote outlook powerpoint sharepoint skype visio visualstudio windows xbox`.split(
    /\s+/,
  ),
);

/** Names cannot begin with these words, */
const AT_START: readonly string[] = ['login', 'xbox'];
/** or contain these. */
const ANYWHERE: readonly string[] = ['microsoft', 'windows'];

export function isReservedName(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    WHOLE.has(lower) || AT_START.some((word) => lower.startsWith(word)) || ANYWHERE.some((word) => lower.includes(word))
  );
}
