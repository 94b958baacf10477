// Receives Gatehouse's webhooks. Node 18 or newer, no packages.
// WEBHOOK_SECRET=whsec_… PORT=8080 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET ?? '';
if (secret === '') throw new Error('WEBHOOK_SECRET is not set.');

/** True when the signature was made over exactly these bytes with our secret. */
function isSigned(body, header) {
  const expected = Buffer.from('sha256=' + createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(header ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isSigned(body, request.headers['x-hub-signature-256'])) return response.writeHead(401).end();
  const call = JSON.parse(body.toString('utf8'));
  // The same transaction_id can come again: remember what was done, and answer 2xx within 15 seconds.
  console.log(call.transaction_id, call.type, call.reference_user_id);
  return response.writeHead(204).end();
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1');
