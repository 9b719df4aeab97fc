import { type Answer, ok } from '../../../kernel/http/index.ts';
import { compileFilter, type ODataSet, refusing } from '../../../kernel/odata/index.ts';
import { allOf } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { codeOf, optionsOf } from '../api/show.ts';
import { errors } from '../errors.ts';

/** `…/$count`: the number of entities in a set, as plain text. */
export async function countAnswer<T>(
  call: MailCall,
  { shape, filter: where, rewrite }: Pick<ODataSet<T>, 'shape' | 'filter' | 'rewrite'>,
): Promise<Answer> {
  const { filter } = optionsOf(call);
  const asked =
    filter === undefined
      ? undefined
      : await refusing(() => compileFilter(shape, filter, call.receivedAt, rewrite), codeOf);
  if (asked?.residual) throw errors.InefficientFilter();
  const count = await call.jar.store.count(shape.collection, { filter: allOf(where, asked?.filter) });
  return ok(String(count), { 'content-type': 'text/plain' });
}
