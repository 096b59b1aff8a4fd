/** The parts of Dropbox Sign's client that we use. The package has no types. */
declare module 'hellosign-embedded' {
  export default class HelloSign {
    constructor(options: { clientId: string });
    on(event: 'sign' | 'decline' | 'finish' | 'error' | 'close', hear: (data?: unknown) => void): void;
    off(event: string): void;
    open(url: string, options: { container: HTMLElement; skipDomainVerification: boolean; allowCancel: boolean }): void;
    close(): void;
  }
}
