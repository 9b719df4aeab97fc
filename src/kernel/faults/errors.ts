import { errorTable } from '../http/errors.ts';

export const faultErrors = errorTable({
  BadFault: [400, "The property '{field}' of the request body {reason}."],
  NoSuchFault: [404, "There is no fault rule '{id}' in this jar."],
  TooManyFaults: [
    409,
    'There are {most} fault rules already, which is the maximum; remove some with DELETE /_jar/faults.',
  ],
});
