import type { User } from '../../../kernel/auth/index.ts';
import { type Answer, html, page } from '../../../kernel/http/index.ts';
import { formTargetsTowards } from './forms.ts';

interface SignInPage {
  /** Address to which the form is posted. */
  readonly action: string;
  /** The sealed authorization request. */
  readonly flow: string;
  readonly redirectUri: string;
  readonly application: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface PasswordPage extends SignInPage {
  readonly username: string;
  readonly problem?: string;
  /** Shown if the seeded users have the well-known password. */
  readonly hint?: string;
  readonly status?: number;
}

export function passwordPage(it: PasswordPage): Answer {
  return page({
    status: it.status ?? 200,
    title: 'Sign in',
    content: html`<h1>Sign in</h1>
<p>to continue to ${it.application}</p>
${it.problem !== undefined && html`<p class="problem" role="alert" id="problem">${it.problem}</p>`}
<form method="post" action="${it.action}">
<input type="hidden" name="flow" value="${it.flow}">
<label for="username">User name</label>
<input id="username" name="username" value="${it.username}" autocomplete="username" autocapitalize="none" spellcheck="false" required${it.username === '' && html` autofocus`}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${it.username !== '' && html` autofocus`}${it.problem !== undefined && html` aria-describedby="problem"`}>
<button type="submit">Sign in</button>
</form>
<form method="post" action="${it.action}">
<input type="hidden" name="flow" value="${it.flow}">
<button class="plain" type="submit" name="cancel" value="1">Cancel</button>
</form>
${it.hint !== undefined && html`<p>${it.hint}</p>`}`,
    formTargets: formTargetsTowards(it.redirectUri),
    headers: it.headers,
  });
}

export function accountsPage(it: SignInPage & { readonly accounts: readonly User[] }): Answer {
  const buttons = it.accounts.map(
    ({ id, displayName, username }) =>
      html`<button class="plain" type="submit" name="account" value="${id}">${displayName}<small>${username}</small></button>`,
  );
  return page({
    title: 'Pick an account',
    content: html`<h1>Pick an account</h1>
<p>to continue to ${it.application}</p>
<form method="post" action="${it.action}">
<input type="hidden" name="flow" value="${it.flow}">
${buttons}
<button class="plain" type="submit" name="other" value="1">Use another account</button>
</form>`,
    formTargets: formTargetsTowards(it.redirectUri),
    headers: it.headers,
  });
}
