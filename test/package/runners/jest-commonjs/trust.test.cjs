const https = require('node:https');
const { startJar } = require('cloudjar/testing');

test('this process trusts the jar for as long as it is told to', async () => {
  const jar = await startJar();
  await expect(fetch(`${jar.httpsUrl}/_jar/health`)).rejects.toThrow('fetch failed');
  jar.trust();
  expect((await fetch(`${jar.httpsUrl}/_jar/health`)).status).toBe(200);
  const status = await new Promise((resolve, reject) => {
    https.get(`${jar.httpsUrl}/_jar/health`, (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
  expect(status).toBe(200);
  await jar.close();
});
