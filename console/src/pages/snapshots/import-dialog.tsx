import { useId, useState } from 'react';
import { addressOf, useGo } from '../../shared/address.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { findSnapshot, type Imported, importFile } from './api.ts';
import styles from './snapshots.module.css';

interface Props {
  readonly close: () => void;
  readonly after: () => void;
}

const ENDING = /(\.cloudjar)?\.gz$/i;
const OF_PASSPHRASE = new Set(['PassphraseNeeded', 'WrongPassphrase', 'BadPassphrase']);
const OF_NAME = new Set(['BadSnapshotName', 'ReservedSnapshotName']);

/** Makes a snapshot of a file of this jar or another one. */
export function ImportDialog({ close, after }: Props) {
  const go = useGo();
  const id = useId();
  const [file, setFile] = useState<File>();
  const [name, setName] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [isTaken, setTaken] = useState(false);
  const [imported, setImported] = useState<Imported>();
  const take = useAction(
    async (wanted: string, chosen: File, mayReplace: boolean) => {
      if (!mayReplace && (await findSnapshot(wanted))) return undefined;
      return importFile(wanted, chosen, passphrase);
    },
    {
      inline: true,
      after: (result) => {
        setTaken(result === undefined);
        setImported(result);
        if (result) after();
      },
    },
  );
  if (imported) {
    const { leftOut, warnings } = imported;
    return (
      <Dialog title="Import a snapshot" close={() => go(addressOf('snapshots', imported.name))}>
        <Notice tone="success" title={`The snapshot '${imported.name}' is here. Nothing was changed yet.`}>
          {(leftOut.length > 0 || warnings.length > 0) && (
            <ul className={styles.list}>
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
              {leftOut.map(({ what, count, afterwards }) => (
                <li key={what}>
                  Without {what}: {count}. {afterwards}.
                </li>
              ))}
            </ul>
          )}
        </Notice>
        <Row>
          <Button look="main" onPress={() => go(addressOf('snapshots', imported.name))}>
            Show it
          </Button>
        </Row>
      </Dialog>
    );
  }
  const code = take.failure?.code ?? '';
  const error = take.failure?.message;
  const run = (): void => {
    if (file && name.trim() !== '' && !take.isRunning) void take.run(name.trim(), file, isTaken);
  };
  return (
    <Dialog title="Import a snapshot" close={close}>
      <div className={styles.file}>
        <label htmlFor={id}>File</label>
        <input
          id={id}
          type="file"
          accept=".gz,application/gzip"
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.files?.[0];
            setFile(chosen);
            if (chosen && name === '') setName(chosen.name.replace(ENDING, ''));
          }}
        />
      </div>
      <TextField
        label="Name"
        value={name}
        onChange={(text) => {
          setName(text);
          setTaken(false);
        }}
        isMono
        error={OF_NAME.has(code) ? error : undefined}
        onEnter={run}
      />
      <TextField
        label="Passphrase"
        type="password"
        description="Only for a file that was exported with one"
        value={passphrase}
        onChange={setPassphrase}
        error={OF_PASSPHRASE.has(code) ? error : undefined}
        onEnter={run}
      />
      {error !== undefined && !OF_NAME.has(code) && !OF_PASSPHRASE.has(code) && <Notice tone="failure" title={error} />}
      {isTaken && <Notice tone="warning" title={`Replace the snapshot '${name.trim()}'? Its state is lost.`} />}
      <Row>
        <Button look={isTaken ? 'danger' : 'main'} isDisabled={!file || name.trim() === ''} onPress={run}>
          {isTaken ? 'Replace' : take.isRunning ? 'Importing…' : 'Import'}
        </Button>
      </Row>
    </Dialog>
  );
}
