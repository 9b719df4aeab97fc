import { shellWord } from './trust.ts';

/**
 * What makes a jar a cloud of the vendor's command line: trust in the CA at `path` (the first variable for its HTTP, the second one for its
 * WebSockets), no question to the world-wide cloud whether it knows the host, and a login that needs neither a browser nor a certain port.
 */
export function azureCliLines(path: string, url: string): string[] {
  const ca = shellWord(path);
  return [
    `export REQUESTS_CA_BUNDLE=${ca} SSL_CERT_FILE=${ca}`,
    'az config set core.instance_discovery=false',
    `az cloud register -n Cloudjar --endpoint-resource-manager ${url}`,
    'az cloud set -n Cloudjar',
    'az login --use-device-code',
  ];
}
