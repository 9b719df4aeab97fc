import { policyHash } from '../../../../kernel/http/index.ts';

/** The document around a sanitised body, for a frame without scripts, forms and an origin. */

/** Message bodies assume a white page; plain text follows the theme. */
const STYLE = `
html { color-scheme: light; background: #fff; color: #1b2230; }
html.text { color-scheme: light dark; background: Canvas; color: CanvasText; }
body { margin: 12px; font: 14px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
img { max-width: 100%; }
a[data-goes-to]::after { content: ' [' attr(data-goes-to) ']'; display: inline; visibility: visible; font: 12px/1.5 ui-monospace, monospace; color: #5b6577; background: transparent; opacity: 1; }
html.text a[data-goes-to]::after { color: GrayText; }
`;

/** The page's policy also applies to its frames; it allows this style by its hash. */
export const BODY_STYLE_HASH = policyHash(STYLE);

const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

export const bodyDocument = (content: string, contentType: 'text' | 'html'): string =>
  `<!doctype html>
<html class="${contentType}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<title>Message body</title>
<style>${STYLE}</style>
</head>
<body>
${content}
</body>
</html>
`;
