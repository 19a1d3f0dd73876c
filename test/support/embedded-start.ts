/** The build entry of a copy of the project that contains only the embedded database. */
export { startEmbedded } from '@sightline/embedded';
