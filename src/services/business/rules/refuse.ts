import { errors } from '../errors.ts';

/** The application's error for an invalid field value. */
export const invalid = (property: string, reason: string): Error =>
  errors.Application_FieldValidationException({ property, reason }, { target: property });

/** The application's error for a violated business rule. */
export const refusal = (reason: string, target?: string): Error =>
  errors.Application_DialogException({ reason }, target === undefined ? {} : { target });
