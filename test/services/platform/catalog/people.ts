import type { Bench } from '../../../support/jars.ts';
import { type Ask, good, person, withoutRates } from '../support.ts';

export const UC = '/api/2.1/unity-catalog';

/** An administrator, and a member of the workspace without privileges. */
export interface People {
  readonly ask: Ask;
  readonly other: Ask;
  /** The name of the member without privileges. */
  readonly user: string;
  readonly metastore: string;
}

/** In an empty jar without rate limits. */
export async function people(bench: Bench): Promise<People> {
  await bench.jar.reset();
  await withoutRates(bench);
  const ask = await person(bench);
  const other = await person(bench, 'licensed');
  const { userName: user } = await good(other('GET', '/preview/scim/v2/Me'));
  const { metastore_id: metastore } = await good(ask('GET', `${UC}/metastore_summary`));
  return { ask, other, user, metastore };
}

/** The administrator grants privileges to the other user. */
export const granting = ({ ask, user }: People, type: string, name: string, add: readonly string[]) =>
  good(ask('PATCH', `${UC}/permissions/${type}/${name}`, { changes: [{ principal: user, add }] }));

export const ROLE = { aws_iam_role: { role_arn: 'arn:aws:iam::1:role/r' } };
