import { Download } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../shared/api/use-action.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { Row, Section, Soft, Stack } from '../../shared/ui/layout.tsx';
import { contentPath, encryptedFile } from './api.ts';
import styles from './snapshots.module.css';

/** The snapshot as a file: for whom it opens, and what is in it. */
export function Export({ name }: { readonly name: string }) {
  const [passphrase, setPassphrase] = useState('');
  const encrypt = useAction((given: string) => encryptedFile(name, given), {
    inline: true,
    after: (file) => {
      download(file, `${name}.cloudjar.gz`);
      setPassphrase('');
    },
  });
  return (
    <Stack>
      <Section title="For every jar, without secrets">
        <Soft>Everyone can read it, so it can be committed. Keys and passwords are left out and made anew.</Soft>
        <a className={styles.download} href={`${contentPath(name)}?portable=true`} download>
          <Download size={14} aria-hidden /> Portable file
        </a>
      </Section>
      <Section title="For every jar, with a passphrase">
        <Soft>All secrets are in it, encrypted. Without the passphrase nobody can open it.</Soft>
        <Row align="end">
          <TextField
            label="Passphrase"
            type="password"
            value={passphrase}
            onChange={setPassphrase}
            error={encrypt.failure?.message}
            onEnter={() => void encrypt.run(passphrase)}
          />
          <Button isDisabled={passphrase === '' || encrypt.isRunning} onPress={() => void encrypt.run(passphrase)}>
            <Download size={14} aria-hidden /> Encrypted file
          </Button>
        </Row>
      </Section>
      <Section title="For jars with the same secret key">
        <a className={styles.download} href={contentPath(name)} download>
          <Download size={14} aria-hidden /> File for this key
        </a>
      </Section>
    </Stack>
  );
}

function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
