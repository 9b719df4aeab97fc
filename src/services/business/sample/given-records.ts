import { ApiError } from '../../../kernel/http/index.ts';
import { readInput } from '../api/input.ts';
import { relatedBy } from '../api/target.ts';
import { errors } from '../errors.ts';
import type { Api, Model, Page } from '../model/types.ts';
import type { Row } from '../records/row.ts';
import type { Builder } from './builder.ts';
import type { SeedCompany } from './collections.ts';

/** Inserts the records of a seed file, with nested records, as if a client had sent them to v2.0. */
export async function insertGiven(
  builder: Builder,
  model: Model,
  records: NonNullable<SeedCompany['records']>,
): Promise<void> {
  builder.goTo(0);
  const api = model.api('v2.0') as Api;
  for (const [set, bodies] of Object.entries(records)) {
    const page = model.page(api, set);
    if (!page || page.derived !== undefined) {
      throw errors.BadRequest({ reason: `'${set}' is not a set of v2.0 in which records can be created.` });
    }
    for (const [index, body] of bodies.entries()) {
      await insert(builder, model, api, page, body, {}).catch((cause) => locate(cause, `${set}[${index}]`));
    }
  }
  await builder.books.settle();
}

function locate(cause: unknown, place: string): never {
  if (!(cause instanceof ApiError)) throw cause;
  throw errors.BadRequest({ reason: `${place}: ${cause.message}` }, { cause });
}

async function insert(
  builder: Builder,
  model: Model,
  api: Api,
  page: Page,
  body: unknown,
  related: Readonly<Record<string, string | number | boolean>>,
): Promise<Row> {
  const { values, id, nested } = readInput(page, model.table(page.table), body);
  const row = await builder.insert(page.table, { ...values, ...page.where, ...related }, id);
  for (const { navigation, bodies } of nested) {
    const inner = model.page(api, navigation.set) as Page;
    for (const each of bodies) await insert(builder, model, api, inner, each, relatedBy(navigation, row));
  }
  return row;
}
