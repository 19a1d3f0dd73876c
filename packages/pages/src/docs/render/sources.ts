import type { OpenApiDocument } from '@sightline/openapi';
import type { Loaded } from '../../loaded.ts';

/** The parts of the page. */
export interface Sources extends Loaded {
  description: OpenApiDocument;
  /** The address of the API in examples. */
  base: string;
  /** Markdown, by name, in their order. */
  guides: readonly (readonly [slug: string, text: string])[];
}
