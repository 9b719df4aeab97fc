import { createHash } from 'node:crypto';
import type { Answer } from './route.ts';

/**
 * HTML pages of services: markup that escapes values, a common style, and a content security policy that allows only what the page needs.
 */

/** Markup that needs no escaping. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Slot = string | Html | readonly Html[] | undefined | false;

/** Builds markup. Values are escaped unless they are markup already, so that input of callers stays text. */
export function html(parts: TemplateStringsArray, ...slots: readonly Slot[]): Html {
  let text = parts[0] ?? '';
  slots.forEach((slot, i) => {
    text += render(slot) + (parts[i + 1] ?? '');
  });
  return new Html(text);
}

function render(slot: Slot): string {
  if (slot === undefined || slot === false) return '';
  if (slot instanceof Html) return slot.text;
  return typeof slot === 'string' ? escaped(slot) : slot.map(({ text }) => text).join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPES[char] as string);

const STYLE = `
:root { color-scheme: light dark; --ink: #1b2230; --soft: #5b6577; --line: #d5dae3; --paper: #fff; --back: #eef1f6; --mark: #1f5fd0; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9edf5; --soft: #a3adbf; --line: #3a4355; --paper: #1c222e; --back: #12161e; --mark: #7ca7ff; --bad: #ff9b93; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { width: min(27rem, calc(100vw - 2rem)); background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 2rem; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; }
p { margin: .25rem 0 1rem; color: var(--soft); overflow-wrap: anywhere; }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
input { width: 100%; padding: .6rem .7rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--soft); border-radius: 8px; }
button { width: 100%; margin-top: 1rem; padding: .65rem .8rem; font: inherit; font-weight: 600; border: 1px solid var(--mark); border-radius: 8px; background: var(--mark); color: var(--paper); cursor: pointer; }
button.plain { background: transparent; color: var(--ink); border-color: var(--line); text-align: left; font-weight: 400; }
button.plain small { display: block; color: var(--soft); overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
.problem { color: var(--bad); border-left: 4px solid var(--bad); padding-left: .75rem; }
code { font-size: .9em; }
`;

/** Source expression by which a Content-Security-Policy allows an inline script or style. */
export const policyHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

interface PageOptions {
  readonly status?: number;
  readonly title: string;
  readonly content: Html;
  /** Allowed targets of the page's forms, including redirects; none if absent. */
  readonly formTargets?: readonly string[];
  /** A fixed script, which the policy allows by its hash; no other script runs on the page. */
  readonly script?: string;
  /** Whether the script calls APIs of the jar. */
  readonly calls?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** A fixed style after the common one, which the policy allows by its hash. */
  readonly style?: string;
}

export function page(options: PageOptions): Answer {
  const { status = 200, title, content, formTargets = [], script, calls, headers, style } = options;
  const policy = [
    "default-src 'none'",
    `style-src ${[STYLE, ...(style === undefined ? [] : [style])].map(policyHash).join(' ')}`,
    `script-src ${script === undefined ? "'none'" : policyHash(script)}`,
    ...(calls ? ["connect-src 'self'"] : []),
    `form-action ${formTargets.length === 0 ? "'none'" : formTargets.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Cloudjar</title>
<style>${new Html(STYLE)}</style>${style !== undefined && new Html(`<style>${style}</style>`)}
</head>
<body>
<main>
${content}
</main>
${script !== undefined && new Html(`<script>${script}</script>`)}
</body>
</html>
`;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      ...headers,
    },
    body: document.text,
  };
}
