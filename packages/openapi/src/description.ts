export { LOCAL_URL, SERVER, servedAt } from './about.ts';
export type { DocumentedRoute } from './api.ts';
export { openApiDocument } from './document.ts';
export { filledPath, plainPaths, toTemplate } from './paths.ts';
