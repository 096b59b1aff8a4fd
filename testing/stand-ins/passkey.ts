import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import type { NewCredential, SignedChallenge } from '#contract/sign-in/second-ways.ts';

interface OptionsReply {
  options: Record<string, unknown>;
}
interface Lies {
  /** The origin of the calling page, if it is not ours. */
  origin?: string;
  /** The device did not verify the user. */
  unverified?: true;
  rpId?: string;
  /** The device attests with this certificate (PEM) although nobody requested that. */
  attestedBy?: { key: string; cert: string };
}

/** A device that creates one passkey and signs with it, as a browser would; tests can make it lie. */
export function openPasskey({ origin = 'http://localhost:3000', rpId = 'localhost' } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let counter = 0;
  let userHandle: string | undefined;

  const clientData = (type: string, { options }: OptionsReply, lies: Lies) =>
    Buffer.from(
      JSON.stringify({ type, challenge: options.challenge, origin: lies.origin ?? origin, crossOrigin: false }),
    );
  const authData = (flags: number, lies: Lies, more = Buffer.alloc(0)) => {
    const head = Buffer.alloc(5);
    head.writeUInt8(lies.unverified ? flags & ~4 : flags);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([
      createHash('sha256')
        .update(lies.rpId ?? rpId)
        .digest(),
      head,
      more,
    ]);
  };
  /** The U2F format, which is signed over the key itself. */
  const u2fStatement = (data: Buffer, x: Buffer, y: Buffer, { key, cert }: { key: string; cert: string }): Cbor => {
    const [app, client] = [rpId, data].map((part) => createHash('sha256').update(part).digest()) as [Buffer, Buffer];
    const signed = Buffer.concat([Buffer.from([0]), app, client, id, Buffer.from([4]), x, y]);
    return {
      entries: [
        ['sig', sign('sha256', signed, key)],
        ['x5c', [new X509Certificate(cert).raw]],
      ],
    };
  };
  const named = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' as const };

  return {
    id: named.id,
    /** The result of `navigator.credentials.create`. */
    make(asked: OptionsReply, lies: Lies = {}): NewCredential {
      userHandle = (asked.options.user as { id: string }).id;
      const jwk = publicKey.export({ format: 'jwk' });
      const [x, y] = [jwk.x, jwk.y].map((part) => Buffer.from(part ?? '', 'base64url')) as [Buffer, Buffer];
      const cose = cbor({
        entries: [
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, x],
          [-3, y],
        ],
      });
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cose]);
      const data = clientData('webauthn.create', asked, lies);
      const attestation = cbor({
        entries: [
          ['fmt', lies.attestedBy ? 'fido-u2f' : 'none'],
          ['attStmt', lies.attestedBy ? u2fStatement(data, x, y, lies.attestedBy) : { entries: [] }],
          ['authData', authData(0x45, lies, attested)],
        ],
      });
      return {
        ...named,
        response: {
          clientDataJSON: data.toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    /** The result of `navigator.credentials.get`. */
    sign(asked: OptionsReply, lies: Lies = {}): SignedChallenge {
      counter += 1;
      const data = clientData('webauthn.get', asked, lies);
      const authenticatorData = authData(0x05, lies);
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(data).digest()]);
      return {
        ...named,
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          ...(userHandle && { userHandle }),
        },
      };
    },
    /** Resets the signature counter, like a cloned device. */
    turnBack: (signatures: number) => void (counter -= signatures),
  };
}

type Cbor = number | string | Buffer | Cbor[] | { entries: (readonly [string | number, Cbor])[] };

/** The few CBOR types an authenticator uses. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? headOf(0, value) : headOf(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([headOf(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([headOf(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Array.isArray(value)) return Buffer.concat([headOf(4, value.length), ...value.map(cbor)]);
  const { entries } = value;
  return Buffer.concat([headOf(5, entries.length), ...entries.flatMap(([key, inner]) => [cbor(key), cbor(inner)])]);
}

function headOf(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size]);
  if (size < 256) return Buffer.from([(kind << 5) | 24, size]);
  return Buffer.from([(kind << 5) | 25, size >> 8, size & 255]);
}
