import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { Mono, Soft } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Method } from './method.tsx';
import { useOperation } from './operation.ts';
import { RequestForm } from './request-form.tsx';

/** One operation: what it needs, and what the jar answers. */
export function OperationDetail({ id }: { readonly id: string }) {
  const { data, failure, isLoading } = useOperation(id);
  if (!data)
    return (
      <Detail kind="Operation" title={id} failure={failure}>
        {isLoading ? (
          <Soft>Reading…</Soft>
        ) : (
          !failure && (
            <Notice title="The jar has no operation of this name.">
              <Link href={addressOf('explorer')}>Search all operations.</Link>
            </Notice>
          )
        )}
      </Detail>
    );
  const { row } = data;
  return (
    <Detail
      kind={row.service}
      title={row.summary === '' ? row.id : row.summary}
      failure={failure}
      badges={
        <>
          <Method name={row.method} />
          <Mono>{row.path}</Mono>
          <Badge>{row.id}</Badge>
        </>
      }
    >
      <RequestForm operation={data} />
    </Detail>
  );
}
