import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useMayChange } from '../../shared/session.ts';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { backToDefault } from './changes.ts';
import { type Limit, NUMBERS, type Numbers, type Scope, scopeWords } from './limit.ts';
import { ModeBadge } from './mode-badge.tsx';
import { ScopeView } from './scope-view.tsx';

interface Props {
  readonly limit: Limit;
  readonly after: () => void;
}

/** What differs from the declared limit, and for whom. */
export function Overrides({ limit, after }: Props) {
  const mayChange = useMayChange();
  const remove = useAction(
    (scope: Scope | undefined) => dataOf(control.PATCH('/_jar/limits', { body: backToDefault(limit, scope) })),
    { done: 'The limit is back to its default.', after },
  );
  return (
    <Table
      label="Overrides"
      items={limit.overrides}
      keyOf={({ scope }) => JSON.stringify(scope ?? {})}
      columns={[
        { title: 'For', cell: ({ scope }) => <ScopeView scope={scope} /> },
        { title: 'Values', cell: (override) => <Values numbers={override} /> },
        { title: 'Mode', cell: ({ mode }) => mode !== undefined && <ModeBadge mode={mode} /> },
        ...(mayChange
          ? [
              {
                title: 'Remove',
                cell: ({ scope }: Limit['overrides'][number]) => (
                  <Confirm
                    label="Remove"
                    question={`Remove the override for ${scopeWords(scope)}?`}
                    onConfirm={() => void remove.run(scope)}
                  />
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

function Values({ numbers }: { readonly numbers: Numbers }) {
  const given = NUMBERS.filter(({ name }) => numbers[name] !== undefined);
  return given.map(({ name, label }) => (
    <div key={name}>
      {label} {numbers[name]}
    </div>
  ));
}
