import { type Answer, html } from '../../../kernel/http/index.ts';
import { etag } from '../../../kernel/ids/index.ts';
import { SCRIPT, STYLE } from './assets.ts';
import { BODY_STYLE_HASH } from './body/document.ts';
import { MAIL_PATH } from './names.ts';

/**
 * The page of a mailbox. It contains no data of the mailbox: its script calls the API with the user's token. `style-src-attr` and `img-src`
 * are for the frame with a message body, which inherits this policy.
 */
export function mailDocument(now: number): Answer {
  const nonce = etag();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}' ${BODY_STYLE_HASH}`,
    "style-src-attr 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types mail-body',
  ].join('; ');
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mail - Cloudjar</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" nonce="${nonce}" href="${MAIL_PATH}/assets/${STYLE.name}">
<script defer nonce="${nonce}" src="${MAIL_PATH}/assets/${SCRIPT.name}"></script>
</head>
<body data-now="${String(now)}">
<noscript><p class="problem">This page needs JavaScript.</p></noscript>
</body>
</html>
`;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
    },
    body: document.text,
  };
}
