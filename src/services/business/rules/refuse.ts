import { errors } from '../errors.ts';

/** What the application says when one field has a value that it cannot have. */
export const invalid = (property: string, reason: string): Error =>
  errors.Application_FieldValidationException({ property, reason }, { target: property });

/** What the application says when a rule of business forbids something. */
export const refusal = (reason: string, target?: string): Error =>
  errors.Application_DialogException({ reason }, target === undefined ? {} : { target });
