import { type Answer, html, page } from '../../../kernel/http/index.ts';
import { formTargetsTowards, SUBMIT_SCRIPT } from './forms.ts';

interface Problem {
  readonly error_description: string;
  readonly trace_id: string;
  readonly correlation_id: string;
  readonly timestamp: string;
}

/** For errors that must not be sent to the application, because it is unknown or its redirect URI is invalid. */
export function errorPage(status: number, problem: Problem): Answer {
  const message = problem.error_description.replace(/ Trace ID: .*$/s, '');
  return page({
    status,
    title: 'Sign-in problem',
    content: html`<h1>You cannot be signed in</h1>
<p class="problem" role="alert">${message}</p>
<p>Request <code>${problem.trace_id}</code><br>Correlation <code>${problem.correlation_id}</code><br>${problem.timestamp}</p>`,
  });
}

export function signedOutPage(headers: Readonly<Record<string, string>>): Answer {
  return page({
    title: 'Signed out',
    content: html`<h1>You are signed out</h1><p>You can close this window.</p>`,
    headers,
  });
}

/** Sends the outcome to the application with a form that submits itself (`response_mode=form_post`). */
export function formPostPage(
  redirectUri: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Answer {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return page({
    title: 'Signing in',
    content: html`<h1>Signing you in</h1>
<form method="post" action="${redirectUri}">${inputs}<noscript><button type="submit">Continue</button></noscript></form>`,
    formTargets: formTargetsTowards(redirectUri),
    script: SUBMIT_SCRIPT,
    headers,
  });
}
