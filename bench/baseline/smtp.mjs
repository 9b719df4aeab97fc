// The bare program that the mail intake is compared with: `smtp-server`, which writes each mail to its own file and waits for the disk
// before it answers. It does not parse the mail. usage: node smtp.mjs FOLDER
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';

const [folder = '.'] = process.argv.slice(2);
let mails = 0;

async function write(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  const file = await open(join(folder, `${mails++}.eml`), 'w');
  try {
    await file.writeFile(Buffer.concat(chunks));
    await file.sync();
  } finally {
    await file.close();
  }
}

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  logger: false,
  onData: (stream, _, done) => write(stream).then(() => done(null, 'stored'), done),
});
server.listen(0, '127.0.0.1', () => console.log(`ready on smtp://127.0.0.1:${server.server.address().port}`));

process.once('SIGTERM', () => server.close());
