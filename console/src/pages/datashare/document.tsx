import { useData } from '../../shared/api/use-data.ts';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { readDocument } from './api.ts';

/** The resource as its own API shows it. */
export function Document({ id }: { readonly id: string }) {
  const document = useData(['datashare', 'document', id], (signal) => readDocument(id, signal), {
    on: ['changes', '/subscriptions'],
  });
  return (
    <>
      <FailureNotice failure={document.failure} what="The document" />
      {document.data !== undefined && <JsonView value={document.data} />}
    </>
  );
}
