import { Button } from '../../shared/ui/button.tsx';
import { Meter } from '../../shared/ui/meter.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { type Limit, type Scope, scopeWords, usedWords } from './limit.ts';
import { ModeBadge } from './mode-badge.tsx';
import { ScopeView } from './scope-view.tsx';

interface Props {
  readonly limit: Limit;
  /** Changes the limit for one scope. */
  readonly onChange?: (scope: Scope) => void;
}

/** Who has used how much, the fullest first. */
export function UseTable({ limit: { title, use, inForce }, onChange }: Props) {
  return (
    <Table
      label={`Use of ${title}`}
      items={use}
      keyOf={({ scope }) => JSON.stringify(scope)}
      empty="Nothing of it is used."
      columns={[
        { title: 'Who', cell: ({ scope }) => <ScopeView scope={scope} /> },
        {
          title: 'Used',
          cell: (each) => (
            <Meter
              label={scopeWords(each.scope)}
              hideLabel
              value={each.used}
              most={each.maximum}
              text={usedWords(each)}
            />
          ),
        },
        { title: 'Mode', cell: ({ mode }) => (mode === inForce.mode ? '' : <ModeBadge mode={mode} />) },
        ...(onChange
          ? [
              {
                title: 'Change',
                cell: ({ scope }: Limit['use'][number]) =>
                  Object.keys(scope).length > 0 && (
                    <Button look="quiet" aria-label={`Change for ${scopeWords(scope)}`} onPress={() => onChange(scope)}>
                      Change
                    </Button>
                  ),
              },
            ]
          : []),
      ]}
    />
  );
}
