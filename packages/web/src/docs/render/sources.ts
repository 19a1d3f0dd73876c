import type { OpenApiDocument } from '@sightline/openapi';
import type { PageAssets } from '../../loaded.ts';

/** The content from which the page is rendered. */
export interface Sources extends PageAssets {
  description: OpenApiDocument;
  /** The URL of the API in the examples. */
  base: string;
  /** The Markdown of each guide by slug, in the order of the page. */
  guides: readonly (readonly [slug: string, text: string])[];
}
