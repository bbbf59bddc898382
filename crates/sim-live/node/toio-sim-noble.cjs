// noble without Bluetooth: Node reads this module first (--require) and gives any noble bindings that talk to the simulator.
//
// TOIO_SIM_GATT names the socket; messages are lines of JSON. noble asks for its bindings by a path below its own lib folder; 1.9.1
// takes what it gets as the bindings themselves, later ones call `new` on it. Bindings for a WebSocket are left alone: who sets
// NOBLE_WEBSOCKET wants those.
'use strict';

const { EventEmitter } = require('node:events');
const Module = require('node:module');
const net = require('node:net');

const BINDINGS = /[\\/](hci-socket|dbus|mac|win|distributed)[\\/]bindings(\.js)?$/;
const MTU = 185;

class Gatt extends EventEmitter {
    constructor() {
        super();
        this.socket = null;
        this.addresses = new Map();
    }

    init() {
        if (this.socket) return;
        let rest = '';
        this.socket = net.connect(process.env.TOIO_SIM_GATT);
        this.socket.setEncoding('utf8');
        this.socket.on('data', (text) => {
            const lines = (rest + text).split('\n');
            rest = lines.pop();
            lines.forEach((line) => this.hear(JSON.parse(line)));
        });
        this.socket.on('error', (error) => this.emit('warning', `the simulator is not there: ${error.message}`));
        this.socket.on('close', () => {
            this.socket = null;
            this.emit('stateChange', 'poweredOff');
        });
    }

    start() {
        this.init();
    }

    stop() {
        this.socket?.end();
    }

    send(action, peripheralUuid, more = {}) {
        this.socket?.write(`${JSON.stringify({ action, peripheralUuid, ...more })}\n`);
    }

    hear(message) {
        const { type, peripheralUuid: id, serviceUuid: service, characteristicUuid: characteristic } = message;
        const error = message.error ? new Error(message.error) : null;
        // Nothing is given where there is no error: noble 1.9.1 takes any further argument for one.
        const failed = error ? [error] : [];
        switch (type) {
            case 'stateChange':
                return this.emit('stateChange', message.state);
            case 'discover':
                this.addresses.set(message.address, id);
                return this.emit('discover', id, message.address, message.addressType, message.connectable, message.advertisement, message.rssi);
            case 'connect':
                if (!error) this.emit('onMtu', id, MTU);
                return this.emit('connect', id, error);
            case 'disconnect':
                return this.emit('disconnect', id);
            case 'rssiUpdate':
                return this.emit('rssiUpdate', id, message.rssi);
            case 'servicesDiscover':
                return this.emit('servicesDiscover', id, message.serviceUuids);
            case 'includedServicesDiscover':
                return this.emit('includedServicesDiscover', id, service, message.includedServiceUuids);
            case 'characteristicsDiscover':
                return this.emit('characteristicsDiscover', id, service, message.characteristics);
            case 'descriptorsDiscover':
                return this.emit('descriptorsDiscover', id, service, characteristic, message.descriptors);
            case 'read':
                return this.emit('read', id, service, characteristic, Buffer.from(message.data, 'hex'), message.isNotification, ...failed);
            case 'write':
                return this.emit('write', id, service, characteristic, ...failed);
            case 'notify':
                return this.emit('notify', id, service, characteristic, message.state, ...failed);
            default:
                return this.emit('warning', `${type}: ${message.error}`);
        }
    }

    startScanning(serviceUuids, allowDuplicates) {
        this.send('startScanning', undefined, { serviceUuids, allowDuplicates });
        this.emit('scanStart', !allowDuplicates);
    }

    stopScanning() {
        this.send('stopScanning');
        this.emit('scanStop');
    }

    connect(id) {
        this.send('connect', id);
    }

    disconnect(id) {
        this.send('disconnect', id);
    }

    cancelConnect(id) {
        this.send('disconnect', id);
    }

    updateRssi(id) {
        this.send('updateRssi', id);
    }

    discoverServices(id, uuids) {
        this.send('discoverServices', id, { uuids });
    }

    discoverIncludedServices(id, serviceUuid, serviceUuids) {
        this.send('discoverIncludedServices', id, { serviceUuid, serviceUuids });
    }

    discoverCharacteristics(id, serviceUuid, characteristicUuids) {
        this.send('discoverCharacteristics', id, { serviceUuid, characteristicUuids });
    }

    discoverDescriptors(id, serviceUuid, characteristicUuid) {
        this.send('discoverDescriptors', id, { serviceUuid, characteristicUuid });
    }

    read(id, serviceUuid, characteristicUuid) {
        this.send('read', id, { serviceUuid, characteristicUuid });
    }

    write(id, serviceUuid, characteristicUuid, data, withoutResponse) {
        this.send('write', id, { serviceUuid, characteristicUuid, data: data.toString('hex'), withoutResponse });
    }

    notify(id, serviceUuid, characteristicUuid, notify) {
        this.send('notify', id, { serviceUuid, characteristicUuid, notify });
    }

    addressToId(address) {
        return this.addresses.get(address.toLowerCase()) ?? null;
    }
}

// One connection serves all nobles of a process. The bindings are a function, for `new`, with the methods of the one instance.
const gatt = new Gatt();
function Bindings() {
    return gatt;
}
for (const methods of [EventEmitter.prototype, Gatt.prototype]) {
    for (const name of Object.getOwnPropertyNames(methods)) {
        if (typeof methods[name] === 'function' && name !== 'constructor') Bindings[name] = methods[name].bind(gatt);
    }
}

const load = Module._load;
Module._load = function (request, parent, ...rest) {
    const isOfNoble = BINDINGS.test(request) && /[\\/][\w-]*noble[\w-]*[\\/]/.test(parent?.filename ?? '');
    return isOfNoble ? Bindings : load.call(this, request, parent, ...rest);
};
