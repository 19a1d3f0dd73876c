export { resolver } from './references.ts';
export type {
  JsonSchema,
  MediaType,
  OpenApiDocument,
  OpenApiExample as Example,
  OpenApiHeader as Header,
  OpenApiParameter as Parameter,
  OperationObject,
  Reference,
  Response,
} from './types.ts';
