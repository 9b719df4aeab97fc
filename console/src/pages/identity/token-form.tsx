import { useState } from 'react';
import { useAddressParam } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { Button } from '../../shared/ui/button.tsx';
import { ComboBox } from '../../shared/ui/combo-box.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { Row, Section, Stack } from '../../shared/ui/layout.tsx';
import { CodeBlock, Notice } from '../../shared/ui/notice.tsx';

const MOST = 500;
const DEFAULT_SUBJECT = 'admin';

/** Asks the control API for a token, without a sign-in. */
export function TokenForm({ onIssued }: { readonly onIssued: (token: string) => void }) {
  const [subject = DEFAULT_SUBJECT, choose] = useAddressParam('for');
  const [scope, setScope] = useState('');
  const [audience, setAudience] = useState('');
  const [ttl, setTtl] = useState('');
  const subjects = useSubjects();
  const issue = useAction(
    () =>
      dataOf(
        control.POST('/_jar/tokens', {
          body: {
            user: subject,
            ...(scope !== '' && { scope }),
            ...(audience !== '' && { audience }),
            ...(ttl !== '' && { ttl }),
          },
        }),
      ),
    { inline: true, done: 'The token was issued.', after: ({ access_token }) => onIssued(access_token) },
  );
  const { failure } = issue;
  const errorOf = (name: string): string | undefined => (failure?.target === name ? failure.message : undefined);
  const isShownAtField = failure?.target !== undefined && ['scope', 'audience', 'ttl'].includes(failure.target);
  const enter = (): void => void issue.run();
  return (
    <Section title="Issue a token">
      <Stack>
        <ComboBox
          label="For the user or application"
          choices={subjects}
          value={subjects.find(({ value, alias }) => value === subject || alias === subject)?.value}
          onChange={choose}
        />
        <TextField
          label="Scope"
          value={scope}
          onChange={setScope}
          placeholder="user_impersonation"
          description="Of an application: its roles. Empty: every permission."
          error={errorOf('scope')}
          onEnter={enter}
        />
        <TextField
          label="Audience"
          value={audience}
          onChange={setAudience}
          placeholder="https://management.vendor.example"
          description="Empty: every service of the jar accepts it."
          error={errorOf('audience')}
          onEnter={enter}
        />
        <TextField
          label="Valid for"
          value={ttl}
          onChange={setTtl}
          placeholder="1h"
          description="By the jar's clock. Empty: an hour by either clock."
          error={errorOf('ttl')}
          onEnter={enter}
        />
        {failure && !isShownAtField && (
          <Notice tone="failure" title="No token was issued.">
            {failure.message}
          </Notice>
        )}
        <Row>
          <Button look="main" isDisabled={issue.isRunning} onPress={enter}>
            Issue the token
          </Button>
        </Row>
        <p>The same on the command line:</p>
        <CodeBlock text={commandOf({ subject, scope, audience, ttl })} label="Copy the command" />
      </Stack>
    </Section>
  );
}

interface Subject {
  readonly value: string;
  readonly label: string;
  readonly alias: string;
}

/** Whom tokens can be issued for. */
function useSubjects(): readonly Subject[] {
  const read = useData(
    ['subjects'],
    async (signal) => {
      const query = { params: { query: { $top: MOST } }, signal };
      const [people, programs] = await Promise.all([
        dataOf(control.GET('/_jar/users', query)),
        dataOf(control.GET('/_jar/applications', query)),
      ]);
      return [
        ...people.value.map(({ username, displayName, alias }) => ({
          value: username,
          label: `${displayName} (${username})`,
          alias,
        })),
        ...programs.value.map(({ id, displayName, alias }) => ({
          value: id,
          label: `${displayName} (application)`,
          alias,
        })),
      ];
    },
    { on: ['/_jar/users', '/_jar/applications'] },
  );
  return read.data ?? [];
}

interface Asked {
  readonly subject: string;
  readonly scope: string;
  readonly audience: string;
  readonly ttl: string;
}

const commandOf = ({ subject, scope, audience, ttl }: Asked): string =>
  [
    `npx cloudjar token --user '${subject}'`,
    scope && `--scope '${scope}'`,
    audience && `--audience '${audience}'`,
    ttl && `--ttl '${ttl}'`,
  ]
    .filter(Boolean)
    .join(' ');
