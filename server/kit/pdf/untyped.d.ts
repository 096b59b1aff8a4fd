declare module 'bidi-js' {
  interface EmbeddingLevels {
    levels: Uint8Array;
    paragraphs: { start: number; end: number; level: number }[];
  }
  export default function bidiFactory(): {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl'): EmbeddingLevels;
    getMirroredCharacter(character: string): string | null;
  };
}

declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** `position` is the index at which the line may end; `required` after a line feed. */
    nextBreak(): { position: number; required: boolean } | null;
  }
}
