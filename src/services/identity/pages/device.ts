import type { User } from '../../../kernel/auth/index.ts';
import { type Answer, type Html, html, page } from '../../../kernel/http/index.ts';

/** The forms are posted to the jar itself. */
const FORM_TARGETS = ["'self'"] as const;
const ACTION = '/devicelogin';

interface CodePage {
  readonly userCode: string;
  readonly problem?: string;
  readonly status?: number;
}

const problemLine = (problem: string | undefined): Html | false =>
  problem !== undefined && html`<p class="problem" role="alert" id="problem">${problem}</p>`;

export function deviceCodePage({ userCode, problem, status = 200 }: CodePage): Answer {
  return page({
    status,
    title: 'Enter code',
    content: html`<h1>Enter code</h1>
<p>Enter the code that the program on your device shows. Do not enter codes that someone sent you.</p>
${problemLine(problem)}
<form method="post" action="${ACTION}">
<label for="user_code">Code</label>
<input id="user_code" name="user_code" value="${userCode}" autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus>
<button type="submit">Next</button>
</form>`,
    formTargets: FORM_TARGETS,
  });
}

export interface DevicePage {
  readonly userCode: string;
  readonly application: string;
  readonly username: string;
  /** Binds the choice of an account to the browser that the page was shown in. */
  readonly browser: string;
  readonly accounts?: readonly User[];
  readonly problem?: string;
  readonly hint: string | undefined;
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
}

export function deviceSignInPage(it: DevicePage): Answer {
  const hidden = html`<input type="hidden" name="user_code" value="${it.userCode}">
<input type="hidden" name="browser" value="${it.browser}">`;
  return page({
    status: it.status ?? 200,
    title: 'Sign in on a device',
    content: html`<h1>Sign in to ${it.application}</h1>
<p>on the device that shows the code ${it.userCode}</p>
${problemLine(it.problem)}
<form method="post" action="${ACTION}">
${hidden}
${it.accounts?.length ? accountButtons(it.accounts) : passwordFields(it)}
</form>
<form method="post" action="${ACTION}">
${hidden}
<button class="plain" type="submit" name="cancel" value="1">Cancel</button>
</form>
${it.hint !== undefined && html`<p>${it.hint}</p>`}`,
    formTargets: FORM_TARGETS,
    headers: it.headers,
  });
}

const accountButtons = (accounts: readonly User[]): Html => html`${accounts.map(
  ({ id, displayName, username }) =>
    html`<button class="plain" type="submit" name="account" value="${id}">${displayName}<small>${username}</small></button>`,
)}
<button class="plain" type="submit" name="other" value="1">Use another account</button>`;

const passwordFields = (it: DevicePage): Html => html`<label for="username">User name</label>
<input id="username" name="username" value="${it.username}" autocomplete="username" autocapitalize="none" spellcheck="false" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${it.problem !== undefined && html` aria-describedby="problem"`}>
<button type="submit">Sign in</button>`;

export function deviceDonePage(title: string, text: string): Answer {
  return page({ title, content: html`<h1>${title}</h1><p>${text}</p>` });
}
