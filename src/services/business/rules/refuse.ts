import { errors } from '../errors.ts';

/** What the application says when a rule of business forbids something. */
export const refusal = (reason: string, target?: string): Error =>
  errors.Application_DialogException({ reason }, target === undefined ? {} : { target });
