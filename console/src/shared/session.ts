import { createContext, useContext } from 'react';
import type { operations } from './api/control.ts';

export type Session = operations['Console_GetSession']['responses'][200]['content']['application/json'];

export const SessionContext = createContext<Session | undefined>(undefined);

/** The role of the person who looks. Readers see everything except secrets, and change nothing. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('there is no session');
  return session;
}

/** Whether the person may change something: pages show no buttons for what would be refused. */
export const useMayChange = (): boolean => useSession().role === 'admin';
