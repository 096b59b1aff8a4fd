/** How this installation connects to its bucket (docs/operating.md). */
export interface S3Settings {
  bucket: string;
  region: string;
  /** The store's scheme and host. */
  endpoint: string;
  /** `path`: the bucket is the first part of the path. `virtual`: it is the first part of the host name. */
  addressing: 'path' | 'virtual';
  /** Prefix of every key: empty, or segments that end with `/`. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The encryption requested from the store; undefined uses the bucket's default. */
  encryption: { algorithm: 'AES256' | 'aws:kms'; kmsKey: string | undefined } | undefined;
}

const others = [
  'S3_REGION',
  'S3_ENDPOINT',
  'S3_ADDRESSING',
  'S3_PREFIX',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_ENCRYPTION',
  'S3_KMS_KEY',
] as const;

/** Reads the settings from the environment; undefined if none is set. Throws a message an operator can act on. */
export function readS3(from: NodeJS.ProcessEnv): S3Settings | undefined {
  const bucket = from.S3_BUCKET;
  if (!bucket) {
    const stray = others.find((name) => from[name]);
    if (stray) throw new Error(`S3_BUCKET is missing: with ${stray} name the bucket that keeps the files`);
    return undefined;
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new Error(
      `S3_BUCKET must be a bucket's name (3 to 63 small letters, digits, dots, dashes), it is "${bucket}"`,
    );
  const region = from.S3_REGION || 'us-east-1';
  if (!/^[a-z0-9-]{1,40}$/.test(region)) throw new Error(`S3_REGION must be like us-east-1, it is "${region}"`);
  return {
    bucket,
    region,
    endpoint: endpointOf(from.S3_ENDPOINT || `https://s3.${region}.amazonaws.com`),
    addressing: addressingOf(from, bucket),
    prefix: prefixOf(from.S3_PREFIX),
    ...credentialsOf(from),
    encryption: encryptionOf(from),
  };
}

function endpointOf(given: string): string {
  const url = URL.parse(given);
  const isHere = url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  const isBare = url?.pathname === '/' && url.search === '' && url.username === '';
  if (!url || !isBare || (url.protocol !== 'https:' && !isHere))
    throw new Error('S3_ENDPOINT must be an https address without a path (plain http only on this machine)');
  return url.origin;
}

/** A bucket name with dots has no valid certificate as a host. Stores other than AWS usually expect the bucket in the path. */
function addressingOf(from: NodeJS.ProcessEnv, bucket: string): S3Settings['addressing'] {
  const addressing = from.S3_ADDRESSING || (from.S3_ENDPOINT || bucket.includes('.') ? 'path' : 'virtual');
  if (addressing !== 'path' && addressing !== 'virtual')
    throw new Error(`S3_ADDRESSING must be path or virtual, it is "${addressing}"`);
  return addressing;
}

function prefixOf(given = ''): string {
  const prefix = given.replace(/^\/+|\/+$/g, '');
  if (prefix === '') return '';
  if (prefix.length > 100 || !/^[A-Za-z0-9][A-Za-z0-9_-]*(\/[A-Za-z0-9][A-Za-z0-9_-]*)*$/.test(prefix))
    throw new Error(`S3_PREFIX must be plain words with / between them, it is "${given}"`);
  return `${prefix}/`;
}

function credentialsOf({ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey }: NodeJS.ProcessEnv) {
  if (!accessKeyId || !secretAccessKey)
    throw new Error(
      `${accessKeyId ? 'S3_SECRET_ACCESS_KEY' : 'S3_ACCESS_KEY_ID'} is missing: with S3_BUCKET give S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY`,
    );
  return { accessKeyId, secretAccessKey };
}

function encryptionOf({ S3_ENCRYPTION: algorithm, S3_KMS_KEY }: NodeJS.ProcessEnv): S3Settings['encryption'] {
  const kmsKey = S3_KMS_KEY || undefined;
  if (kmsKey && algorithm !== 'aws:kms') throw new Error('S3_KMS_KEY goes with S3_ENCRYPTION=aws:kms');
  if (!algorithm) return undefined;
  if (algorithm !== 'AES256' && algorithm !== 'aws:kms')
    throw new Error(`S3_ENCRYPTION must be AES256 or aws:kms, it is "${algorithm}"`);
  return { algorithm, kmsKey };
}
