/** How programs of one runtime are made to trust the jar's CA. */
export interface TrustLine {
  readonly runtime: string;
  readonly line: string;
}

/** Quotes a path for a shell if necessary. */
export const shellWord = (path: string): string =>
  /^[\w./:@%+=-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;

/** The command line per runtime that makes a program trust the CA at `path`; `url` is the jar's HTTPS address. */
export function trustLines(path: string, url: string): TrustLine[] {
  const ca = shellWord(path);
  return [
    { runtime: 'Node.js', line: `export NODE_EXTRA_CA_CERTS=${ca}` },
    { runtime: 'Python requests', line: `export REQUESTS_CA_BUNDLE=${ca}` },
    { runtime: 'Python httpx, ssl', line: `export SSL_CERT_FILE=${ca}` },
    { runtime: 'curl', line: `curl --cacert ${ca} ${url}/_jar/health   (or export CURL_CA_BUNDLE=${ca})` },
    { runtime: 'Go, .NET on Linux', line: `export SSL_CERT_FILE=${ca}   (instead of the system's CAs)` },
    {
      runtime: 'Java',
      line: `keytool -importcert -noprompt -alias cloudjar -file ${ca} -cacerts -storepass changeit`,
    },
    { runtime: '.NET on Windows', line: `certutil -user -addstore Root ${ca}` },
    {
      runtime: 'Debian, Ubuntu',
      line: `sudo cp ${ca} /usr/local/share/ca-certificates/cloudjar.crt && sudo update-ca-certificates`,
    },
    {
      runtime: 'macOS',
      line: `security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ${ca}`,
    },
    {
      runtime: 'Chromium on Linux',
      line: `certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n cloudjar -i ${ca}   (package libnss3-tools)`,
    },
    { runtime: 'Firefox', line: `Settings, Certificates, View Certificates, Authorities, Import: ${path}` },
  ];
}
