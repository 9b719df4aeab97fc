import { addressOf, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { counted } from '../../shared/format/numbers.ts';
import { useMayChange } from '../../shared/session.ts';
import { Confirm } from '../../shared/ui/confirm.tsx';

interface Props {
  /** The filter of the list; all deliveries without one. */
  readonly filter: string | undefined;
  readonly after: () => void;
}

/** What can be done with all deliveries that match the filter. */
export function BulkActions({ filter, after }: Props) {
  const go = useGo();
  const mayChange = useMayChange();
  const replay = useAction(
    ($filter: string) => dataOf(control.POST('/_jar/deliveries/replay', { params: { query: { $filter } } })),
    { done: ({ replayed }) => `${counted(replayed, 'delivery', 'deliveries')} sent again.`, after },
  );
  const remove = useRemoval(
    () =>
      dataOf(
        control.DELETE('/_jar/deliveries', { params: { query: filter === undefined ? {} : { $filter: filter } } }),
      ),
    {
      done: ({ removed }) => `${counted(removed, 'delivery', 'deliveries')} removed.`,
      after: () => go(addressOf('deliveries'), { keep: true }),
    },
  );
  if (!mayChange) return null;
  return (
    <>
      {filter !== undefined && (
        <Confirm
          label="Send all again"
          question="Send all deliveries that match the filter again?"
          onConfirm={() => void replay.run(filter)}
        />
      )}
      <Confirm
        label={filter === undefined ? 'Remove all' : 'Remove matching'}
        question={
          filter === undefined
            ? 'Remove all deliveries? Waiting ones are not sent any more.'
            : 'Remove all that match the filter?'
        }
        onConfirm={() => void remove.run()}
      />
    </>
  );
}
