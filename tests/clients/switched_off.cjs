// A cube that is told to switch off ends its connection, and noble says so. NOBLE names the package, PACKAGES where it is installed.
'use strict';
const { createRequire } = require('node:module');
const { join } = require('node:path');
const noble = createRequire(join(process.env.PACKAGES, 'x.js'))(process.env.NOBLE);

const SERVICE = '10b201005b3b45719508cf3efcd7bbae';
const CONFIGURATION = '10b201ff5b3b45719508cf3efcd7bbae';

noble.on('stateChange', (state) => state === 'poweredOn' && noble.startScanning([SERVICE], false));
noble.once('discover', (cube) => {
    noble.stopScanning();
    cube.once('disconnect', () => {
        console.log('the cube is gone');
        process.exit(0);
    });
    cube.connect((failed) => {
        if (failed) throw failed;
        cube.discoverSomeServicesAndCharacteristics([SERVICE], [CONFIGURATION], (wrong, services, [configuration]) => {
            if (wrong) throw wrong;
            configuration.write(Buffer.from('340000', 'hex'), false);
        });
    });
});
setTimeout(() => process.exit(1), 20_000).unref();
