import { type ReactNode, useEffect, useState } from 'react';
import { bodyOf, CONSOLE_HEADERS } from '../shared/api/control.ts';
import { asFailure, type Failure, failureOf } from '../shared/api/failure.ts';
import { sessionEnded } from '../shared/api/session.ts';
import { type Session, SessionContext } from '../shared/session.ts';
import { SignIn } from './sign-in.tsx';

type State = { readonly session?: Session; readonly failure?: Failure | undefined; readonly isAsking: boolean };

const CODE = /^#enter=([\w-]+)$/;

/** Shows the console to people with a session, and to all others how to get one. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<State>({ isAsking: true });
  const enter = async (credential: { readonly code?: string; readonly key?: string }): Promise<void> => {
    setState({ isAsking: true });
    try {
      setState({ session: await send('POST', '/_jar/console/sessions', credential), isAsking: false });
    } catch (error) {
      setState({ failure: asFailure(error), isAsking: false });
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is opened
  useEffect(() => {
    const code = CODE.exec(location.hash)?.[1];
    // The code has no place in the history of the browser.
    if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);
    const known = (): Promise<void> =>
      send('GET', '/_jar/console/session').then(
        (session) => setState({ session, isAsking: false }),
        (error) => {
          const failure = asFailure(error);
          setState({ isAsking: false, failure: failure.status === 401 ? undefined : failure });
        },
      );
    void (code === undefined ? known() : enter({ code }));
    const forgetEnded = sessionEnded.subscribe(() => setState({ isAsking: false }));
    globalThis.addEventListener('hashchange', loadWithCode);
    return () => {
      forgetEnded();
      globalThis.removeEventListener('hashchange', loadWithCode);
    };
  }, []);
  if (state.session) return <SessionContext value={state.session}>{children}</SessionContext>;
  if (state.isAsking) return <p role="status">Opening the console…</p>;
  return <SignIn failure={state.failure} enter={enter} />;
}

/** A link that is opened in a tab with the console changes nothing but the fragment: the page is loaded again, and takes the code. */
const loadWithCode = (): void => {
  if (CODE.test(location.hash)) location.reload();
};

async function send(method: string, path: string, body?: unknown): Promise<Session> {
  const response = await fetch(path, {
    method,
    headers: { ...CONSOLE_HEADERS, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await bodyOf(response);
  if (!response.ok) throw failureOf(response.status, answer);
  return answer as Session;
}
