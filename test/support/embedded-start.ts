/** An entry of the build, for a copy of the project that has the embedded database alone. */
export { startEmbedded } from '@sightline/embedded';
