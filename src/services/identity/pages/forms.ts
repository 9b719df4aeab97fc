export const SUBMIT_SCRIPT = 'document.forms[0].submit()';

/**
 * Browsers apply a form's `form-action` policy to every redirect after it: to the application, and from there to wherever it sends its user
 * next, which during development is often another port of this machine.
 */
export function formTargetsTowards(redirectUri: string): string[] {
  const url = URL.parse(redirectUri);
  const target = url === null ? [] : [url.origin === 'null' ? url.protocol : url.origin];
  return ["'self'", ...target, 'http://localhost:*', 'https://localhost:*', 'http://127.0.0.1:*'];
}
